using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.PubSub.Messages;

/// <summary>One field of a DataSetMessage.</summary>
/// <param name="Index">Its place in the DataSetMetaData.</param>
/// <param name="Value">The caller holds a reference while the message is written. Null: there is no value, only a
/// status.</param>
/// <param name="Status">Of the value, with the bits of its notification.</param>
public readonly record struct FrameField(int Index, SharedValue? Value, StatusCode Status);
