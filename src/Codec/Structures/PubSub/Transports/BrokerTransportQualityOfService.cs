namespace Gateway.Codec.Structures;

public enum BrokerTransportQualityOfService
{
    NotSpecified = 0,
    BestEffort = 1,
    AtLeastOnce = 2,
    AtMostOnce = 3,
    ExactlyOnce = 4,
}
