namespace Gateway.PubSub.Uadp;

/// <summary>The number is that of ExtendedFlags1. Source: Part 14 §7.2.4.4.2.</summary>
internal enum UadpPublisherIdType : byte
{
    Byte = 0,
    UInt16 = 1,
    UInt32 = 2,
    UInt64 = 3,
    String = 4,
}
