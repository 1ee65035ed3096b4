using Gateway.Codec.Binary;

namespace Gateway.Codec.Structures;

/// <summary>How a structure is made from bytes without reflection.</summary>
/// <typeparam name="TSelf">The structure itself.</typeparam>
public interface IStructure<TSelf> : IStructure
    where TSelf : IStructure<TSelf>
{
    /// <summary>The fewest bytes that one value can take: bounds what a declared array length may ask for (R02).
    /// </summary>
    static abstract int MinimumSizeBytes { get; }

    /// <summary>The memory of one value as an object of its own, without the objects that its fields refer to: charged
    /// before it is made.</summary>
    static abstract int MemoryBytes { get; }

    /// <summary>Errors: the reader's status; the result is then not to be used.</summary>
    static abstract TSelf Decode(ref UaBinaryReader reader);
}
