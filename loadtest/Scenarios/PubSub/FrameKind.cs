namespace Gateway.Loadtest.Scenarios.PubSub;

/// <summary>Of a DataSetMessage. Source: Part 14 §7.2.4.5.</summary>
internal enum FrameKind
{
    KeyFrame,
    DeltaFrame,

    /// <summary>And what else has no fields.</summary>
    KeepAlive,
}
