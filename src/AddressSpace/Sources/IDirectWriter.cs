using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Sources;

/// <summary>A source whose writes are done when the call returns: they need no request that waits. Threads: any; does
/// not block. Errors: a StatusCode, never an exception.</summary>
public interface IDirectWriter
{
    StatusCode Write(in SourceWrite write);
}
