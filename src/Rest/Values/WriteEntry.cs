using Gateway.Codec.Types;
using Gateway.Rest.Conversion;

namespace Gateway.Rest.Values;

/// <summary>One value that is to be written, its type not known yet.</summary>
internal readonly record struct WriteEntry(
    string? Node, JsonPiece Value, StatusCode Status, DateTime SourceTimestamp);
