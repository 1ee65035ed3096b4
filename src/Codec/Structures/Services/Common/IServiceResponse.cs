namespace Gateway.Codec.Structures;

/// <summary>The response of a service, ServiceFault among them. Source: Part 4 §7.34.</summary>
public interface IServiceResponse : IStructure
{
    ResponseHeader ResponseHeader { get; set; }
}
