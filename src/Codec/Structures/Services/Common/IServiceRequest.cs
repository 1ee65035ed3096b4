namespace Gateway.Codec.Structures;

/// <summary>The request of a service. Source: Part 4 §7.33.</summary>
public interface IServiceRequest : IStructure
{
    RequestHeader RequestHeader { get; set; }
}
