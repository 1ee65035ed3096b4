using Gateway.Codec.Structures;

namespace Gateway.Codec.Json;

/// <summary>How a structure is made from JSON without reflection.</summary>
/// <typeparam name="TSelf">The structure itself.</typeparam>
public interface IJsonStructure<TSelf> : IJsonStructure, IStructure<TSelf>
    where TSelf : IJsonStructure<TSelf>
{
    /// <summary>The reader stands at the start of the object. Errors: the reader's status; the result is then not to be
    /// used.</summary>
    static abstract TSelf Decode(ref UaJsonReader reader);
}
