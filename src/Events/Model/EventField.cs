using Gateway.Codec.Types;

namespace Gateway.Events.Model;

/// <summary>A field that events of a kind have.</summary>
/// <param name="Path">Its name.</param>
/// <param name="Type">Of its value. A StatusCode in a field of another type stands in place of the value.</param>
public readonly record struct EventField(FieldPath Path, BuiltInType Type);
