namespace Gateway.Loadtest.Scenarios.Compare;

/// <summary>How we stand beside a peer in one figure.</summary>
internal enum Verdict
{
    /// <summary>The figure is not a contest, or one side has none.</summary>
    None,

    Same,

    Better,

    Worse,
}
