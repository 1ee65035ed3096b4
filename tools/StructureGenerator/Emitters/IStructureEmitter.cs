using Gateway.StructureGenerator.Model;

namespace Gateway.StructureGenerator.Emitters;

/// <summary>Writes one part of a structure's generated half: a file of its own for each structure. A further encoding
/// is a further emitter.</summary>
internal interface IStructureEmitter
{
    /// <summary>Stands between the structure's name and <c>.g.cs</c>.</summary>
    string Suffix { get; }

    string Emit(StructureModel structure);
}
