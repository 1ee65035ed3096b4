namespace Gateway.Codec.Types;

/// <summary>The kind of a NodeId's identifier. Source: Part 3 §8.2.3.</summary>
public enum IdType : byte
{
    Numeric = 0,
    String = 1,
    Guid = 2,
    Opaque = 3,
}
