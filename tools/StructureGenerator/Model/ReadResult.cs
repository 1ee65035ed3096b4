namespace Gateway.StructureGenerator.Model;

/// <summary>A model, or the problems of its declaration.</summary>
internal sealed record ReadResult(StructureModel? Model, EquatableArray<Problem> Problems);
