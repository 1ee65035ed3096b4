namespace Gateway.StructureGenerator.Model;

/// <summary>A model, or what stands in its way.</summary>
internal sealed record ReadResult(StructureModel? Model, EquatableArray<Problem> Problems);
