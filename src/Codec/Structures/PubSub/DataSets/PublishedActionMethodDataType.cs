namespace Gateway.Codec.Structures;

[Structure(18793, 18795)]
public sealed partial class PublishedActionMethodDataType : PublishedActionDataType
{
    public ActionMethodDataType[]? ActionMethods { get; init; }
}
