// SPDX-License-Identifier: Apache-2.0
// KeyStructs: the attribute chooses a key, and the key a tiling struct.

#include "key_structs_tiling.h"
#include "register/op_def_registry.h"

namespace optiling {

template <typename Data>
static void Save(Data& data, gert::TilingContext* context) {
  data.SaveToBuffer(context->GetRawTilingData()->GetData(),
                    context->GetRawTilingData()->GetCapacity());
  context->GetRawTilingData()->SetDataSize(data.GetDataSize());
}

static ge::graphStatus TileKeyStructs(gert::TilingContext* context) {
  const char* way = context->GetAttrs()->GetStr(0);
  context->SetBlockDim(1);
  if (way[0] == 's') {
    SevenData data;
    const uint32_t list[3] = {10, 20, 30};
    data.set_list(list);
    data.part.set_a(5);
    data.part.set_b(0.5f);
    Save(data, context);
    context->SetTilingKey(7);
  } else {
    KeyStructsData data;
    data.set_first(3);
    data.set_total(1ULL << 40);
    Save(data, context);
    context->SetTilingKey(way[0] == 'b' ? 10000000000000000001ULL : 2);
  }
  return ge::GRAPH_SUCCESS;
}

}  // namespace optiling

namespace ops {

class KeyStructs : public OpDef {
 public:
  explicit KeyStructs(const char* name) : OpDef(name) {
    this->Output("y")
        .ParamType(REQUIRED)
        .DataType({ge::DT_FLOAT})
        .Format({ge::FORMAT_ND});
    this->Attr("way").AttrType(REQUIRED).String();
    this->AICore().SetTiling(optiling::TileKeyStructs).AddConfig("ascend910b");
  }
};

OP_ADD(KeyStructs);

}  // namespace ops
