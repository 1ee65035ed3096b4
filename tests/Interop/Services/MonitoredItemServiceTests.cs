using Gateway.Interop.Scripts;

namespace Gateway.Interop.Services;

/// <summary>The MonitoredItem service set by node-opcua's client: items.js.</summary>
[Collection(nameof(ServicesCollection))]
public sealed class MonitoredItemServiceTests(ServicesFixture fixture)
{
    [PeerFact]
    public async Task Modify_HandleQueueAndSampling_TakeEffectAndKeepWhatFits()
    {
        CaseResult result = await CaseAsync("modify");

        result.ExpectAll("first", "1: 0");
        result.ExpectAll("modified",
            new { status = "Good", sampling = 0, queue = 2 },
            new { status = "BadMonitoredItemIdInvalid", sampling = 0, queue = 0 });
        result.ExpectAll("left", "7: 3 overflow", "7: 4");
        result.Expect("slower", new { status = "Good", sampling = 1000, queue = 20 });
        result.ExpectAll("later", "8: 8");
        result.Expect("unknownSubscription", "BadSubscriptionIdInvalid");
        result.Expect("nothing", "BadNothingToDo");
    }

    [PeerFact]
    public async Task SetMonitoringMode_AllThree_QueueIsKeptWhileSamplingAndDiscardedWhenDisabled()
    {
        CaseResult result = await CaseAsync("modes");

        result.ExpectAll("sampling", "Good", "BadMonitoredItemIdInvalid");
        result.ExpectAll("whileSampling");
        result.ExpectAll("reporting", 1, 2);
        result.ExpectAll("whileDisabled");
        result.ExpectAll("enabledAgain", 5);
        result.Expect("disabled", "Good");
        result.ExpectAll("bornDisabled");
        result.Expect("unknownSubscription", "BadSubscriptionIdInvalid");
    }

    [PeerFact]
    public async Task SetTriggering_LinkAddedAndRemoved_SampledItemGoesWithItsTrigger()
    {
        CaseResult result = await CaseAsync("triggering");

        result.ExpectAll("added", "Good", "BadMonitoredItemIdInvalid");
        result.ExpectAll("untriggered");
        result.ExpectAll("triggered", "1: 1", "2: 0", "2: 1", "2: 2");
        result.ExpectAll("removed", "Good", "BadMonitoredItemIdInvalid");
        result.ExpectAll("unlinked", "1: 2");
        result.Expect("unknown", "BadMonitoredItemIdInvalid");
        result.Expect("nothing", "BadNothingToDo");
    }

    [PeerFact]
    public async Task Filter_AbsoluteDeadband_PassesWhatLiesFurtherThanThatFromTheLast()
    {
        CaseResult result = await CaseAsync("absoluteDeadband");

        result.ExpectAll("statuses",
            "Good", "Good", "BadFilterNotAllowed", "BadDeadbandFilterInvalid", "BadFilterNotAllowed");
        result.ExpectAll("scalar", 11, 22);
        result.ExpectAll("array", (object)new[] { 1, 11, 0 });
    }

    [PeerFact]
    public async Task Filter_PercentDeadband_IsOfTheRangeOfAnAnalogItem()
    {
        CaseResult result = await CaseAsync("percentDeadband");

        result.ExpectAll("statuses", "Good", "BadMonitoredItemFilterUnsupported", "BadDeadbandFilterInvalid");
        result.ExpectAll("percents", 11, 22);
    }

    [PeerFact]
    public async Task Filter_EachTrigger_PassesWhatItNames()
    {
        CaseResult result = await CaseAsync("triggers");

        result.ExpectAll("status");
        result.ExpectAll("value", 2);
        result.ExpectAll("timestamp", 1, 1, 2);
    }

    [PeerTheory]
    [InlineData("queueOfOne", 1, "1: 10")]
    [InlineData("queueOfOneKeepingOldest", 1, "1: 10")]
    [InlineData("queueOfFive", 5, "1: 6 overflow", "1: 7", "1: 8", "1: 9", "1: 10")]
    [InlineData("queueOfFiveKeepingOldest", 5, "1: 1", "1: 2", "1: 3", "1: 4", "1: 10 overflow")]
    public async Task Queue_TenChangesAtOnce_KeepsByPolicyAndFlagsOverflow(
        string name, int size, params string[] values)
    {
        CaseResult result = await CaseAsync(name);

        result.Expect("revised", size);
        result.Expect("values", values);
    }

    [PeerFact]
    public async Task Sampling_ZeroAndMinusOne_EveryChangeAndTheLastOfACycle()
    {
        CaseResult result = await CaseAsync("sampling");

        result.ExpectAll("revised", 0, 400);
        result.ExpectAll("everyChange", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        // Two where the writes fell into two sampling periods.
        Assert.InRange(result["sampled"].GetArrayLength(), 1, 2);
        Assert.Equal(10, result["sampled"].EnumerateArray().Last().GetInt32());
    }

    [PeerFact]
    public async Task IndexRange_ChangeOutsideAndInside_OnlyTheWatchedPartReports()
    {
        CaseResult result = await CaseAsync("indexRange");

        result.ExpectAll("statuses", "Good", "Good");
        result.ExpectAll("first", "1: 11,12", "2: null BadIndexRangeNoData");
        result.ExpectAll("changed", "1: 11,77");
    }

    [PeerFact]
    public async Task Attributes_OtherThanValue_AreReportedOnce()
    {
        CaseResult result = await CaseAsync("attributes");

        result.ExpectAll("statuses", "Good", "Good", "Good", "BadAttributeIdInvalid", "BadNodeIdUnknown");
        result.ExpectAll("values", "1: Int32", "2: 3", "3: Server");
    }

    [PeerFact]
    public async Task CurrentTime_Monitored_ChangesFromMessageToMessage() =>
        (await CaseAsync("standardObject")).Expect("distinct", 3);

    private Task<CaseResult> CaseAsync(string name) => fixture.CaseAsync("items.js", name);
}
