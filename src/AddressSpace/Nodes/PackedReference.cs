namespace Gateway.AddressSpace.Nodes;

/// <summary>
/// A reference in eight bytes.
/// <code>
/// bit 63      forward
/// bits 32–62  index of the ReferenceType's node
/// bit 31      the target is external
/// bits 0–30   index of the target's node, or of the external target
/// </code>
/// </summary>
internal static class PackedReference
{
    private const ulong ForwardBit = 1UL << 63;
    private const ulong ExternalBit = 1UL << 31;
    private const ulong TargetMask = ExternalBit - 1;

    public static ulong Pack(int referenceType, bool isForward, int target) =>
        (isForward ? ForwardBit : 0) | ((ulong)(uint)referenceType << 32) | (uint)target;

    public static ulong PackExternal(int referenceType, bool isForward, int externalIndex) =>
        Pack(referenceType, isForward, externalIndex) | ExternalBit;

    public static bool IsForward(ulong entry) => (entry & ForwardBit) != 0;

    public static int ReferenceType(ulong entry) => (int)((entry & ~ForwardBit) >> 32);

    /// <summary>0 for an external target.</summary>
    public static int Target(ulong entry) => (entry & ExternalBit) != 0 ? 0 : (int)(entry & TargetMask);

    /// <summary>The same reference as its other end sees it.</summary>
    public static ulong Opposite(ulong entry, int source) => Pack(ReferenceType(entry), !IsForward(entry), source);

    public static Reference Unpack(ulong entry, NodeTable table) => new(
        new NodeHandle(ReferenceType(entry)),
        IsForward(entry),
        new NodeHandle(Target(entry)),
        (entry & ExternalBit) != 0 ? table.ExternalTarget((int)(entry & TargetMask)) : default);
}
