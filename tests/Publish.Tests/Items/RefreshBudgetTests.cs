using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Publish.Tests.Items;

/// <summary>A refresh holds each retained notification against the client's filter, on the shard's thread and under its
/// lock: that has a budget, too (R44).</summary>
public sealed class RefreshBudgetTests()
    : RefreshTest(PublishLimits.Default with { MaxEventFilterStepsPerSecond = StepsPerSecond })
{
    private const int StepsPerSecond = 3_000;

    private const int Alarms = 40;

    /// <summary>Of a sixth of a second's steps at most: more than one in each second.</summary>
    [Fact]
    public void Refresh_CostlyFilter_GoesOnAsTheSecondsHaveSteps_OthersDoNotWait()
    {
        ReportAll();
        WatchCostly(literals: 400);
        var others = _other.Subscribe();
        Watch(_other, others);
        Assert.Equal(StatusCodes.Good, Refresh(_client));
        Assert.Equal(StatusCodes.Good, _other.Session.RefreshConditions(others, null).Code);

        var first = Told(_client);
        Assert.Equal("end", Told(_other)[^1]);
        Assert.Equal("start", first[0]);
        Assert.InRange(first.Count, 2, Alarms);

        List<string> all = [.. first];
        for (var second = 0; second < Alarms && all[^1] != "end"; second++)
            all.AddRange(Told(_client, 1_000));
        Assert.Equal(Alarms + 2, all.Count);
        Assert.Equal(Alarms + 2, all.Distinct().Count());
        Assert.Equal("end", all[^1]);
    }

    [Fact]
    public void Refresh_FilterThatNoSecondHasStepsFor_IsToldAndEnds()
    {
        ReportAll();
        WatchCostly(literals: 2_000);
        Assert.Equal(StatusCodes.Good, Refresh(_client));

        Assert.Equal(["overflow", "start", "end"], Told(_client));
        // It would be as costly the next time.
        Assert.Empty(Told(_client, 5_000));
    }

    /// <summary>More of them than a turn has slices.</summary>
    [Fact]
    public void Refresh_ManyCostlyFilters_ShardSleepsWhileTheyRest()
    {
        ReportAll();
        for (var i = 0; i < 6; i++)
            WatchCostly(literals: 400 + i);
        Assert.Equal(StatusCodes.Good, Refresh(_client));

        for (var turns = 0; _client.Session.Shard.RunOnce() == 0; turns++)
            Assert.InRange(turns, 0, 1_000);
    }

    private void ReportAll()
    {
        for (var i = 1; i <= Alarms; i++)
            Report(i);
    }

    private void WatchCostly(int literals)
    {
        var request = Request(StandardIds.Objects.Server, 1_000, true, 0);
        var filter = (EventFilter)request.RequestedParameters.Filter.Body!;
        filter = new EventFilter
        {
            SelectClauses = filter.SelectClauses,
            WhereClause = new ContentFilter
            {
                Elements =
                [
                    new ContentFilterElement
                    {
                        FilterOperator = FilterOperator.InList,
                        FilterOperands =
                        [
                            new ExtensionObject(Clause("Severity")),
                            .. Enumerable.Repeat(
                                new ExtensionObject(new LiteralOperand { Value = new Variant(1) }), literals),
                            new ExtensionObject(new LiteralOperand { Value = new Variant(500) }),
                        ],
                    },
                ],
            },
        };
        var costly = request with
        {
            RequestedParameters = request.RequestedParameters with { Filter = new ExtensionObject(filter) },
        };
        Assert.Equal(StatusCode.Good, _client.TryMonitor(_subscription, costly).StatusCode);
    }
}
