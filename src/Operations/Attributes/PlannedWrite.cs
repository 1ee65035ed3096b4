using Gateway.AddressSpace.Sources;

namespace Gateway.Operations.Attributes;

/// <summary>One accepted value of a Write, and its source.</summary>
/// <param name="Index">Index of the value in the request.</param>
public readonly record struct PlannedWrite(int Index, INodeSource Source, SourceWrite Write);
