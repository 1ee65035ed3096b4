using Gateway.Codec.Types;

namespace Gateway.Server.Dispatch;

/// <summary>Of an error of ours a client hears nothing but that there was one (R17), or that memory is short: then the
/// same request may pass later (R40).</summary>
internal static class InnerFault
{
    public static StatusCode Of(Exception error) =>
        error is InsufficientMemoryException ? StatusCodes.BadOutOfMemory : StatusCodes.BadInternalError;
}
