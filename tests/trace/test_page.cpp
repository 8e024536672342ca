// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "browser.h"
#include "sample_launch.h"
#include "temporary_file.h"
#include "trace/html_writer.h"

namespace belay::trace::test_page {
namespace {

using nlohmann::json;

constexpr uint64_t kLimit = 20'000;
constexpr int kLargeTiles = 1000;
constexpr int kLargeCores = 24;

std::string SampleSource() {
  std::string text;
  for (int line = 1; line <= 20; ++line) {
    text += fmt::format("  Line{}(x, \"</script>\");  // & <b>\n", line);
  }
  return text;
}

// A page with a small launch, one that is too large for it, one whose loads
// overlap, one with a core that alone is too large, and an empty one.
std::string SamplePage(const TemporaryFolder& folder) {
  const std::string source = folder.File("sample.asc");
  WriteFile(source, SampleSource());
  const std::string path = folder.File("page.html");
  HtmlWriter writer(path,
                    {.chip = "Ascend 910B1",
                     .clock_mhz = 1850,
                     .model_error = "median 4 %, worst 18 %",
                     .program = "sample.asc <&>"},
                    kLimit);
  SampleLaunch small{
      .cores = 4, .tiles = 6, .overlap = false, .source = source};
  SampleLaunch large = small;
  large.cores = kLargeCores;
  large.tiles = kLargeTiles;
  SampleLaunch overlapping = small;
  overlapping.overlap = true;
  SampleLaunch one_core = large;
  one_core.cores = 1;
  one_core.tiles = 5 * kLargeTiles;
  SampleLaunch nothing = small;
  nothing.cores = 0;
  for (const SampleLaunch& sample :
       {small, large, overlapping, one_core, nothing}) {
    const clock::LaunchLog log = sample.Log();
    writer.BeginLaunch(log);
    writer.EndLaunch(sample.Play(writer));
  }
  writer.Finish();
  return path;
}

// Loads the page with page_test.js behind its scripts; what that saw.
class Page : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const TemporaryFolder folder;
    plain_page_ = new std::string(ReadFile(SamplePage(folder)));
    const BrowserResult result =
        RunInBrowser(*plain_page_, BELAY_TRACE_TESTS "/page_test.js");
    console_ = new std::string(result.console);
    ASSERT_FALSE(result.seen.is_null()) << result.console;
    seen_ = new json(result.seen);
  }

  void SetUp() override { ASSERT_NE(seen_, nullptr); }

  static const json& Seen(const char* name) { return seen_->at(name); }

  inline static std::string* plain_page_ = nullptr;
  inline static std::string* console_ = nullptr;
  inline static json* seen_ = nullptr;
};

TEST_F(Page, LoadsWithoutErrorsOrRequests) {
  EXPECT_EQ(Seen("errors"), json::array());
  EXPECT_EQ(Seen("requests"), json::array());
  EXPECT_EQ(console_->find("CONSOLE"), std::string::npos) << *console_;
  for (const char* address : {"http://", "https://", "src=", "import("}) {
    EXPECT_EQ(plain_page_->find(address), std::string::npos) << address;
  }
}

TEST_F(Page, SaysThatTimeIsSimulated) {
  EXPECT_EQ(Seen("facts"),
            "simulated · Ascend 910B1 · 1850 MHz · model error median 4 %, "
            "worst 18 %");
}

TEST_F(Page, ReadsBackWhatWasWritten) {
  EXPECT_EQ(Seen("launches"), 5);
  EXPECT_EQ(Seen("cores"), (json{"aiv 0", "aiv 1", "aiv 2", "aiv 3"}));
  const uint64_t of_core = SampleSlices(6);
  EXPECT_EQ(Seen("slices"), (json{of_core, of_core, of_core, of_core}));
  Timeline timeline;
  SampleLaunch{.cores = 1, .tiles = 6, .overlap = false, .source = ""}.Play(
      timeline);
  const Slice& load = timeline.cores()
                          .at(CoreId{false, 0})
                          .pipes[static_cast<size_t>(abi::Pipe::kMte2)]
                          .rows[0][0];
  EXPECT_EQ(Seen("firstLoad"),
            (json{{"start", load.start}, {"end", load.end}}));
}

TEST_F(Page, DrawsTheFirstCoresOpen) {
  EXPECT_EQ(Seen("open"), (json{"aiv 0", "aiv 1"}));
  EXPECT_GT(Seen("colours"), 12);
  EXPECT_NE(Seen("slicePixel"), Seen("emptyPixel"));
}

TEST_F(Page, AClickTellsTheSliceAndBringsOutItsLine) {
  EXPECT_EQ(Seen("selectedIndex"), 2);
  const std::string details = Seen("selected");
  for (const char* part :
       {"Add 32 repeats", "aiv 0, block 0", "sample.asc:12", "Line12",
        "180 cycles", "flag of another pipe (MTE2)", "4,096",
        "Lost to bank conflicts", "48, "}) {
    EXPECT_NE(details.find(part), std::string::npos) << part << " in\n"
                                                     << details;
  }
  EXPECT_EQ(Seen("arrows"), 3);
  EXPECT_EQ(Seen("live"), "Add 32 repeats on aiv 0 V, 97.3 ns");
  EXPECT_NE(Seen("chosenLine").get<std::string>().find("</script>"),
            std::string::npos);
  EXPECT_EQ(Seen("sameLineMarked"), true);
  EXPECT_EQ(Seen("otherLineMarked"), false);
}

TEST_F(Page, ArrowKeysGoFromSliceToSlice) {
  EXPECT_EQ(Seen("afterArrowRight"), 3);
  EXPECT_EQ(Seen("afterArrowDown"), "MTE2");
  EXPECT_EQ(Seen("afterEscape"), nullptr);
}

TEST_F(Page, WheelKeysDragAndPinchMoveTheView) {
  EXPECT_NEAR(Seen("wheelZoom"), std::exp(0.8), 1e-6);
  EXPECT_LT(Seen("wheelKeepsTime"), 1e-9);
  EXPECT_NEAR(Seen("panned"), 0.2, 1e-6);
  EXPECT_NEAR(Seen("keyZoom"), std::exp(0.8) * 1.35, 1e-6);
  EXPECT_EQ(Seen("dragged"), true);
  EXPECT_NEAR(Seen("pinched"), 2, 1e-6);
  EXPECT_EQ(Seen("fitAgain"), true);
}

TEST_F(Page, SearchFindsOperationsAndLines) {
  // Six tiles on each of four cores; the scalar unit's part has the line too.
  EXPECT_EQ(Seen("findName").get<std::string>().rfind("24 slices, ", 0), 0u)
      << Seen("findName");
  EXPECT_EQ(Seen("findLine").get<std::string>().rfind("48 slices, ", 0), 0u)
      << Seen("findLine");
  EXPECT_EQ(Seen("findFileLine"), Seen("findLine"));
  EXPECT_EQ(Seen("findNothing"), "none");
  EXPECT_EQ(Seen("stepped"), "S");
  EXPECT_EQ(Seen("steppedTo"), 7);
  const std::string line = Seen("clickedLine");
  EXPECT_TRUE(line.ends_with("sample.asc:10")) << line;
}

TEST_F(Page, CoresFoldAndThemesChange) {
  EXPECT_EQ(Seen("closed"), 5);  // four pipes and the buffer
  EXPECT_EQ(Seen("openAll"), 4);
  EXPECT_EQ(Seen("themeChanges"), true);
}

TEST_F(Page, ALargeLaunchSaysWhatIsLeftOutAndStaysCheap) {
  const std::string note = Seen("leftOut");
  EXPECT_NE(note.find("22 of 24 cores (aiv 1 to aiv 22)"), std::string::npos)
      << note;
  EXPECT_NE(note.find("176,000 of 192,000 slices"), std::string::npos) << note;
  EXPECT_EQ(Seen("kept"), (json{"aiv 0", "aiv 23"}));
  EXPECT_EQ(Seen("largeSlices"), 2 * SampleSlices(kLargeTiles));
  // Painting takes rectangles by pixels, not by slices: at most a few for
  // each of 1000 columns of a strip.
  EXPECT_LT(Seen("rectangles"), 40'000);
  EXPECT_NE(Seen("outlinePixel"), Seen("stripPixel"));
}

TEST_F(Page, InstructionsThatOverlapGetRowsOfTheirOwn) {
  EXPECT_EQ(Seen("loadRows"), 2);
  EXPECT_EQ(Seen("secondRow"), true);
  EXPECT_EQ(Seen("overlapCountedOnce"), true);
}

TEST_F(Page, OneCoreThatIsTooLargeEndsInOutline) {
  const std::string note = Seen("cutNote");
  EXPECT_NE(note.find("20,000 of 40,000 slices"), std::string::npos) << note;
  EXPECT_NE(note.find("on aiv 0"), std::string::npos) << note;
  EXPECT_NE(Seen("pixelAfterCut"), Seen("pixelBesides"));
}

TEST_F(Page, ALaunchWithoutInstructionsIsShown) {
  EXPECT_EQ(Seen("emptyCores"), 0);
}

TEST_F(Page, HoveringNamesTheSlice) {
  EXPECT_EQ(Seen("tip"),
            "Add 32 repeats97.3 ns · sample.asc:12stood still 156.8 ns: flag "
            "of another pipe (MTE2)");
  EXPECT_EQ(Seen("tipWithoutStall"), "issue DataCopy6.486 ns · sample.asc:10");
}

}  // namespace
}  // namespace belay::trace::test_page
