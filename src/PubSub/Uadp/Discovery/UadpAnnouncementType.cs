namespace Gateway.PubSub.Uadp.Discovery;

/// <summary>The content of an announcement, and with the same numbers of a probe's answer.
/// Source: Part 14 §7.2.4.6.3, §7.2.4.6.12.4.</summary>
internal enum UadpAnnouncementType : byte
{
    PublisherEndpoints = 1,
    DataSetMetaData = 2,
    DataSetWriterConfiguration = 3,
    Connections = 4,

    /// <summary>Its description, or its status.</summary>
    Application = 5,
}
