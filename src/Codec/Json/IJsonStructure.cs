namespace Gateway.Codec.Json;

/// <summary>A structure that writes itself as JSON. The member is generated from the declaration.</summary>
public interface IJsonStructure
{
    /// <summary>The whole value, braces too.</summary>
    void Encode(UaJsonWriter writer);
}
