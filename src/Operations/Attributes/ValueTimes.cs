using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Operations.Attributes;

/// <summary>Which timestamps an answer carries. Source: Part 4 §7.40.</summary>
public static class ValueTimes
{
    public static bool IsValid(TimestampsToReturn timestamps) =>
        timestamps is >= TimestampsToReturn.Source and <= TimestampsToReturn.Neither;

    public static WireTimestamps ToWire(TimestampsToReturn timestamps) => timestamps switch
    {
        TimestampsToReturn.Source => WireTimestamps.Source,
        TimestampsToReturn.Server => WireTimestamps.Server,
        TimestampsToReturn.Both => WireTimestamps.Both,
        _ => WireTimestamps.Neither,
    };

    /// <summary>The value with the times asked for; a server time that is missing is now.</summary>
    public static DataValue Shape(in DataValue value, WireTimestamps timestamps, DateTime now)
    {
        var source = (timestamps & WireTimestamps.Source) != 0;
        var server = (timestamps & WireTimestamps.Server) != 0;
        return value with
        {
            SourceTimestamp = source ? value.SourceTimestamp : default,
            SourcePicoseconds = source ? value.SourcePicoseconds : default,
            ServerTimestamp = !server ? default : value.ServerTimestamp != default ? value.ServerTimestamp : now,
            ServerPicoseconds = server ? value.ServerPicoseconds : default,
        };
    }
}
