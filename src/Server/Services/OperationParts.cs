using Gateway.Codec.Types;
using Gateway.Publish;

namespace Gateway.Server.Services;

/// <summary>How a request of many operations is taken apart, and its answer put together.</summary>
/// <param name="Size">Operations of a part.</param>
/// <param name="Units">Of work, an operation.</param>
/// <param name="OperationsOf">A whole request's.</param>
/// <param name="PartOf">The same request with some of its operations.</param>
/// <param name="Handle">One part.</param>
/// <param name="ResultsOf">A part's answer; as many as operations.</param>
/// <param name="Answer">To the whole.</param>
/// <param name="Failed">One operation's result.</param>
internal sealed record OperationParts<TRequest, TOperation, TResponse, TResult>(
    int Size,
    int Units,
    Func<TRequest, TOperation[]?> OperationsOf,
    Func<TRequest, TOperation[], TRequest> PartOf,
    Func<PublishSession, TRequest, TResponse> Handle,
    Func<TResponse, TResult[]?> ResultsOf,
    Func<TResult[], TResponse> Answer,
    Func<StatusCode, TResult> Failed);
