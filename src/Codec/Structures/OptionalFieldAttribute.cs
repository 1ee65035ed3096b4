namespace Gateway.Codec.Structures;

/// <summary>The field may be absent; null stands for that. A String (or another type that can be null) that is there
/// and null becomes absent: nothing of ours tells the two apart. Source: Part 6 §5.2.7.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class OptionalFieldAttribute : Attribute;
