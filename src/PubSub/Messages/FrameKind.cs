namespace Gateway.PubSub.Messages;

/// <summary>Which fields a DataSetMessage carries. Source: Part 14 §6.2.4.3, §7.2.5.4, §7.2.4.5.</summary>
public enum FrameKind
{
    /// <summary>All fields of the DataSet, in their order.</summary>
    KeyFrame,

    /// <summary>Those that have changed.</summary>
    DeltaFrame,

    /// <summary>The fields of one event.</summary>
    Event,

    /// <summary>None: the writer is alive. Its sequence number is that of the next message.</summary>
    KeepAlive,
}
