namespace Gateway.Codec.Structures;

[Structure(16313, 17537)]
public sealed partial class AdditionalParametersType
{
    public KeyValuePair[]? Parameters { get; init; }
}
