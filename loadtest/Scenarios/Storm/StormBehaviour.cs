namespace Gateway.Loadtest.Scenarios.Storm;

/// <summary>The behaviour of refused clients.</summary>
internal enum StormBehaviour
{
    /// <summary>They come back when the server said so, and after a while where it said nothing.</summary>
    Obey,

    /// <summary>They come back at once and ignore the hint.</summary>
    Ignore,

    /// <summary>Every other one obeys.</summary>
    Mixed,
}
