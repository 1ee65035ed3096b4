using System.Threading.Tasks.Sources;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Client.Requests;

/// <summary>
/// An awaited answer of one type, reused: the last one read on a thread is kept for the next request made there. Owner:
/// the caller until the await is over, which gives it back.
///</summary>
internal sealed class PendingRequest<TResponse> : PendingRequest, IValueTaskSource<TResponse>
    where TResponse : IStructure<TResponse>
{
    [ThreadStatic]
    private static PendingRequest<TResponse>? _free;

    private ManualResetValueTaskSourceCore<TResponse> _source;
    private CancellationTokenRegistration _cancellation;
    private DecodingLimits? _limits;
    private Action<TResponse>? _onAnswer;

    public static PendingRequest<TResponse> Rent(ClientOptions options, Action<TResponse>? onAnswer)
    {
        var request = _free ?? new PendingRequest<TResponse>();
        _free = null;
        request._limits = options.DecodingLimits;
        request._onAnswer = onAnswer;
        request._source.RunContinuationsAsynchronously = !options.InlineContinuations;
        return request;
    }

    public ValueTask<TResponse> AsValueTask() => new(this, _source.Version);

    /// <summary>Called before the request can be answered.</summary>
    public void CancelBy(CancellationTokenRegistration registration) => _cancellation = registration;

    public override void Complete(ReadOnlySpan<byte> message)
    {
        _cancellation.Unregister();
        TResponse? response;
        try
        {
            var status = ResponseReader.Read<TResponse>(message, _limits!, out response, out var detail);
            if (status.IsBad)
            {
                _source.SetException(new ServiceException(status, detail)
                {
                    RetryAfter = RetryHint.FromResponse(message, _limits!),
                });
                return;
            }

            _onAnswer?.Invoke(response!);
        }
        catch
        {
            // It is in no table any more: neither its time nor the connection's end would reach it.
            _source.SetException(new ServiceException(StatusCodes.BadDecodingError, "the answer could not be taken"));
            throw;
        }

        _source.SetResult(response!);
    }

    public override void Fail(StatusCode status, string detail)
    {
        _cancellation.Unregister();
        _source.SetException(new ServiceException(status, detail));
    }

    /// <summary>By our caller. A server that says so has not cancelled anything here: it fails.</summary>
    public override void Cancel()
    {
        _cancellation.Unregister();
        _source.SetException(new OperationCanceledException("cancelled"));
    }

    public TResponse GetResult(short token)
    {
        try
        {
            return _source.GetResult(token);
        }
        finally
        {
            _source.Reset();
            _cancellation = default;
            Deadline = long.MaxValue;
            _free = this;
        }
    }

    public ValueTaskSourceStatus GetStatus(short token) => _source.GetStatus(token);

    public void OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);
}
