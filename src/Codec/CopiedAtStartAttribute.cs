namespace Gateway.Codec;

/// <summary>A limit that a part copies when it is made: the size of what is rented then, a rate or timer that runs
/// already, or a number that a peer is told once. Another value needs a restart. A limit without it is looked at each
/// time, and follows a reload. On a record: all of its limits.</summary>
[AttributeUsage(AttributeTargets.Property | AttributeTargets.Class)]
public sealed class CopiedAtStartAttribute : Attribute;
