namespace Gateway.PubSub.Uadp;

/// <summary>Identity and limits of a group's writer. Sizes are in bytes.</summary>
internal sealed record UadpWriterOptions
{
    /// <summary>A datagram of this size needs no fragments on Ethernet. Source: Part 14 §7.3.2.1.</summary>
    public const int Ipv4MessageBytes = 1472;

    public const int Ipv6MessageBytes = 1452;

    /// <summary>The most that the mapping allows, on every transport. Source: Part 14 §7.2.4.5.3.</summary>
    public const int LargestMessageBytes = 65535;

    /// <summary>Smaller than this there is no room for data beside the headers.</summary>
    public const int SmallestMessageBytes = 256;

    public required UadpPublisherId PublisherId { get; init; }

    /// <summary>A larger DataSetMessage goes out in chunks; this is the size of each.</summary>
    public int MaxMessageBytes { get; init; } = LargestMessageBytes;

    /// <summary>Above it nothing is written, also not in chunks.</summary>
    public int MaxDataSetMessageBytes { get; init; } = 1024 * 1024;

    /// <summary>Of the messages in one publishing interval, from 1.</summary>
    public ushort NetworkMessageNumber { get; init; } = 1;
}
