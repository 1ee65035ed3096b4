namespace Gateway.Codec.Structures;

[Structure(15631, 15712)]
public sealed partial class TargetVariablesDataType : SubscribedDataSetDataType
{
    public FieldTargetDataType[]? TargetVariables { get; init; }
}
