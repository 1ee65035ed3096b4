using System.Diagnostics.CodeAnalysis;

namespace Gateway.Events.Delivery;

/// <summary>Compares bytes by their content.</summary>
internal sealed class ContentComparer : IEqualityComparer<byte[]>
{
    public static ContentComparer Instance { get; } = new();

    public bool Equals(byte[]? x, byte[]? y) => x.AsSpan().SequenceEqual(y);

    public int GetHashCode([DisallowNull] byte[] obj)
    {
        var hash = new HashCode();
        hash.AddBytes(obj);
        return hash.ToHashCode();
    }
}
