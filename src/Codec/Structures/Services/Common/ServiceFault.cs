namespace Gateway.Codec.Structures;

[Structure(395, 397)]
public sealed partial class ServiceFault : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }
}
