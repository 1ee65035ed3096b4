using Gateway.AddressSpace.Sources;

namespace Gateway.Operations.Attributes;

/// <summary>One value of a Write that was accepted, and who takes it.</summary>
/// <param name="Index">Of the value in the request.</param>
public readonly record struct PlannedWrite(int Index, INodeSource Source, SourceWrite Write);
