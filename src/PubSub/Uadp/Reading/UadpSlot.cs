namespace Gateway.PubSub.Uadp.Reading;

/// <summary>A place in a NetworkMessage of fixed layout.</summary>
/// <param name="DataSetWriterId">Of the DataSetMessage that stands there.</param>
/// <param name="ConfiguredSize">In bytes; 0: the message ends where its last field does.</param>
internal readonly record struct UadpSlot(ushort DataSetWriterId, ushort ConfiguredSize);
