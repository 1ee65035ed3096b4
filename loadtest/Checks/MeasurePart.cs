namespace Gateway.Loadtest.Checks;

/// <summary>Where a measurement stands; drift is the difference between its first and its last quarter.</summary>
internal enum MeasurePart
{
    /// <summary>Not measuring: the grid of cycles is learned.</summary>
    Settling,
    First,
    Middle,
    Last,

    /// <summary>Not even learned yet: changes may be late while thousands of sessions are being opened.</summary>
    Opening,
}
