namespace Gateway.Codec.Json;

/// <summary>Reads the number that the reader stands on. Errors: the reader's status.</summary>
public delegate int JsonNumberReader(ref UaJsonReader reader);
