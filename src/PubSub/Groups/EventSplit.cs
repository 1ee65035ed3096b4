using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;

namespace Gateway.PubSub.Groups;

/// <summary>Makes the fields of an event data set's message of an event as the engine brings it: one Variant that holds
/// the array of the selected fields. Their bytes stay as they are.</summary>
internal static class EventSplit
{
    private const int StatusCodeBytes = 1 + sizeof(uint);

    /// <param name="fields">In the order of the data set.</param>
    /// <param name="described">The fields of the data set.</param>
    /// <param name="values">Makes the parts; the caller releases them.</param>
    /// <param name="into">One for each field of the data set.</param>
    public static void Split(
        SharedValue fields, FieldMetaData[] described, ValueStore values, List<FrameField> into)
    {
        var reader = new UaBinaryReader(fields.EncodedVariant);
        reader.ReadByte();
        var count = reader.ReadInt32();
        for (var i = 0; i < described.Length; i++)
        {
            var encoded = i < count ? reader.ReadVariantBytes() : default;
            into.Add(FieldOf(i, encoded, (BuiltInType)described[i].BuiltInType, values));
        }
    }

    private static FrameField FieldOf(
        int index, ReadOnlySpan<byte> encoded, BuiltInType type, ValueStore values)
    {
        if (encoded.IsEmpty || encoded[0] == (byte)BuiltInType.Null)
            return new FrameField(index, null, StatusCode.Good);
        // A StatusCode in place of a value: why there is none.
        if (encoded is [(byte)BuiltInType.StatusCode, ..] && encoded.Length == StatusCodeBytes &&
            type is not (BuiltInType.StatusCode or BuiltInType.Variant))
            return new FrameField(index, null, new UaBinaryReader(encoded[1..]).ReadStatusCode());
        return new FrameField(
            index, values.MakeEncoded(encoded, StatusCode.Good, default, default, 0), StatusCode.Good);
    }
}
