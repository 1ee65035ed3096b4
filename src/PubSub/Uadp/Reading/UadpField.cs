using Gateway.Codec.Types;

namespace Gateway.PubSub.Uadp.Reading;

/// <summary>One field of a DataSetMessage that came in.</summary>
/// <param name="Index">Its place in the DataSetMetaData.</param>
/// <param name="Value">With what of status and times the message carries.</param>
internal readonly record struct UadpField(int Index, DataValue Value);
