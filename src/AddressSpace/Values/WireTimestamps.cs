namespace Gateway.AddressSpace.Values;

/// <summary>Which times a DataValue carries: TimestampsToReturn as bits. Source: Part 4 §7.40.</summary>
[Flags]
public enum WireTimestamps : byte
{
    Neither = 0,
    Source = 1,
    Server = 2,
    Both = Source | Server,
}
