using Gateway.Admission.Stages;

namespace Gateway.Transport.Security;

/// <summary>A function on the lane. An awaiting caller continues off the lane.</summary>
internal sealed class FunctionWork<T>(Func<T> function) : PrivateKeyWork
{
    private readonly TaskCompletionSource<T> _source = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public Task<T> Task => _source.Task;

    public override void Execute()
    {
        try
        {
            _source.SetResult(function());
        }
#pragma warning disable CA1031 // The caller gets any exception: the lane's thread goes on (R40).
        catch (Exception e)
#pragma warning restore CA1031
        {
            _source.SetException(e);
        }
    }

    public override void Drop(RefusalReason reason) => _source.SetException(new PrivateKeyLaneBusyException());
}
