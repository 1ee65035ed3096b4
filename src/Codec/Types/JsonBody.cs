using System.Text;

namespace Gateway.Codec.Types;

/// <summary>The JSON object of an unknown structure, as UTF-8, carried and never interpreted (R22). It is equal to one
/// with the same bytes. Source: Part 6 §5.4.2.16.</summary>
public sealed class JsonBody(byte[] utf8) : IEquatable<JsonBody>
{
    /// <summary>The bytes are kept, not copied: the caller gives them away.</summary>
    public byte[] Utf8 { get; } = utf8;

    public bool Equals(JsonBody? other) => other is not null && Utf8.AsSpan().SequenceEqual(other.Utf8);

    public override bool Equals(object? obj) => Equals(obj as JsonBody);

    public override int GetHashCode()
    {
        var hash = new HashCode();
        hash.AddBytes(Utf8);
        return hash.ToHashCode();
    }

    public override string ToString() => Encoding.UTF8.GetString(Utf8);
}
