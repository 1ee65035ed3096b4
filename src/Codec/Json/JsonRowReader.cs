namespace Gateway.Codec.Json;

/// <summary>Reads the array that the reader stands on. Null after an error, which is the reader's status.</summary>
internal delegate Array? JsonRowReader(ref UaJsonReader reader);
