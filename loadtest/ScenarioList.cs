using Gateway.Loadtest.Attacks;
using Gateway.Loadtest.Scenarios;
using Gateway.Loadtest.Scenarios.Abuse;
using Gateway.Loadtest.Scenarios.Capacity;
using Gateway.Loadtest.Scenarios.Compare;
using Gateway.Loadtest.Scenarios.Echo;
using Gateway.Loadtest.Scenarios.Events;
using Gateway.Loadtest.Scenarios.Matrix;
using Gateway.Loadtest.Scenarios.PubSub;
using Gateway.Loadtest.Scenarios.Rest;
using Gateway.Loadtest.Scenarios.Rest.Streams;
using Gateway.Loadtest.Scenarios.Rest.Viewers;
using Gateway.Loadtest.Scenarios.Soak;
using Gateway.Loadtest.Scenarios.Storm;
using Gateway.Loadtest.Scenarios.Upstreams;

namespace Gateway.Loadtest;

/// <summary>All there is, in the order of the help.</summary>
internal static class ScenarioList
{
    public static IReadOnlyList<Scenario> All { get; } =
    [
        new ConnectScenario(),
        new SessionsScenario(),
        new ItemsScenario(),
        new ReadScenario(),
        new WriteScenario(),
        new NotifyScenario(),
        new SampledScenario(),
        new ChangesScenario(),
        new EchoScenario(),
        new RestScenario(),
        new StreamScenario(),
        new ConsoleScenario(),
        new PubSubScenario(),
        new EventsScenario(),
        new UpstreamsScenario(),
        new MatrixScenario(),
        new SoakScenario(),
        new CapacityScenario(),
        new StormScenario(),
        new StormCompareScenario(),
        new FairnessScenario(),
        new SlowlorisScenario(),
        new ChurnScenario(),
        new ExhaustScenario(),
        new AttackScenario(),
        new CompareScenario(),
    ];
}
