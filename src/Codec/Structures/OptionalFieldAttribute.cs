namespace Gateway.Codec.Structures;

/// <summary>The field may be absent; null stands for that. A String (or another type that can be null) that is present
/// and null becomes absent: no code of ours distinguishes the two. Source: Part 6 §5.2.7.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class OptionalFieldAttribute : Attribute;
