namespace Gateway.Codec.Structures;

public enum ApplicationType
{
    Server = 0,
    Client = 1,
    ClientAndServer = 2,
    DiscoveryServer = 3,
}
