using Gateway.Loadtest.Scenarios;

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
        new ChangesScenario(),
    ];
}
