namespace Gateway.Codec.Structures;

[Structure(948, 950)]
public sealed partial class AggregateConfiguration
{
    public bool UseServerCapabilitiesDefaults { get; init; }

    public bool TreatUncertainAsBad { get; init; }

    public byte PercentDataBad { get; init; }

    public byte PercentDataGood { get; init; }

    public bool UseSlopedExtrapolation { get; init; }
}
