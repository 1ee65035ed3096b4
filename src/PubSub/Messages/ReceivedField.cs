using Gateway.Codec.Types;

namespace Gateway.PubSub.Messages;

/// <summary>One field of a received DataSetMessage.</summary>
/// <param name="Name">As in the metadata.</param>
/// <param name="Index">Its place in the metadata; −1: there is no metadata, or the field is not in it.</param>
/// <param name="Value">A value that could not be read is null with Bad_DecodingError, Bad_DataTypeIdUnknown or
/// Bad_EncodingLimitsExceeded.</param>
public readonly record struct ReceivedField(string Name, int Index, DataValue Value);
