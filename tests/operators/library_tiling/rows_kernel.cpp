// SPDX-License-Identifier: Apache-2.0
// Softmax of rows and its log, with shapes from the library's tiling structs.

#include "kernel_operator.h"

extern "C" __global__ __aicore__ void row_softmax(GM_ADDR x, GM_ADDR y,
                                                  GM_ADDR log,
                                                  GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  GET_TILING_DATA(data, tiling);
  const uint32_t count = data.rows * data.columns;
  AscendC::TPipe pipe;
  AscendC::TQue<AscendC::TPosition::VECIN, 1> in;
  AscendC::TQue<AscendC::TPosition::VECOUT, 1> out;
  AscendC::TQue<AscendC::TPosition::VECOUT, 1> out_log;
  AscendC::TBuf<AscendC::TPosition::VECCALC> values;
  AscendC::TBuf<AscendC::TPosition::VECCALC> temporary;
  pipe.InitBuffer(in, 1, count * sizeof(float));
  pipe.InitBuffer(out, 1, count * sizeof(float));
  pipe.InitBuffer(out_log, 1, count * sizeof(float));
  pipe.InitBuffer(values, data.rows * 64);
  pipe.InitBuffer(temporary, data.bytes);
  AscendC::GlobalTensor<float> from, to, to_log;
  from.SetGlobalBuffer((__gm__ float*)x, count);
  to.SetGlobalBuffer((__gm__ float*)y, count);
  to_log.SetGlobalBuffer((__gm__ float*)log, count);

  AscendC::LocalTensor<float> source = in.AllocTensor<float>();
  AscendC::DataCopy(source, from, count);
  in.EnQue(source);
  source = in.DeQue<float>();
  AscendC::LocalTensor<float> sum = values.Get<float>();
  AscendC::LocalTensor<float> max = sum[data.rows * 8];
  AscendC::LocalTensor<uint8_t> tmp = temporary.Get<uint8_t>();
  AscendC::LocalTensor<float> logs = out_log.AllocTensor<float>();
  const SoftMaxTiling& softmax = data.softmax;
  AscendC::LogSoftMax<float>(logs, sum, max, source, tmp, data.log);
  AscendC::LocalTensor<float> result = out.AllocTensor<float>();
  AscendC::SoftMax<float>(result, sum, max, source, tmp, softmax);
  out.EnQue(result);
  out_log.EnQue(logs);
  in.FreeTensor(source);
  result = out.DeQue<float>();
  logs = out_log.DeQue<float>();
  AscendC::DataCopy(to, result, count);
  AscendC::DataCopy(to_log, logs, count);
  out.FreeTensor(result);
  out_log.FreeTensor(logs);
}
