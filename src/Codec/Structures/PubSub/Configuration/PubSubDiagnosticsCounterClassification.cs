namespace Gateway.Codec.Structures;

public enum PubSubDiagnosticsCounterClassification
{
    Information = 0,
    Error = 1,
}
