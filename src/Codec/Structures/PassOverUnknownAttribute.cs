namespace Gateway.Codec.Structures;

/// <summary>An ExtensionObject that JSON reads as null where its type is unknown: whoever does not know it passes over
/// it, and UA Binary has no place for it. Source: Part 4 §7.32.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class PassOverUnknownAttribute : Attribute;
