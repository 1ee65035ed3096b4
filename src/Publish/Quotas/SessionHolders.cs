using Gateway.Admission.Stages;

namespace Gateway.Publish.Quotas;

/// <summary>
/// The holders that a session's subscriptions count for: the session, its user, its certificate and its address, the
/// latter two where they are known. An amount is taken of all or of none. Changed under the shard's lock.
/// </summary>
internal sealed class SessionHolders
{
    private readonly QuotaBook _book;

    public SessionHolders(QuotaBook book, SessionOwner owner)
    {
        _book = book;
        Session = book.NewSession();
        User = book.Users.Enter(owner.UserKey);
        Certificate = owner.Certificate.Length > 0 ? book.Certificates.Enter(owner.Certificate) : null;
        Address = owner.Address.Length > 0 ? book.Addresses.Enter(owner.Address) : null;
    }

    public Usage Session { get; }

    public Usage User { get; private set; }

    /// <summary>As the address for the session's whole life: a session goes to a channel of the same certificate only,
    /// and counts where it was created.</summary>
    public Usage? Certificate { get; }

    public Usage? Address { get; }

    /// <summary>Of its client: <see cref="SessionOwner.HolderKey"/>.</summary>
    public Amount OfClient => (Certificate ?? Address ?? User).Amount;

    /// <summary>Of the holder that has most, in each respect.</summary>
    public Amount Most
    {
        get
        {
            var most = User.Amount;
            if (Certificate is not null)
                most = Amount.Max(most, Certificate.Amount);
            return Address is null ? most : Amount.Max(most, Address.Amount);
        }
    }

    public bool TryTake(in Amount wanted) => TryTake(wanted, null);

    /// <summary>Of those holders only that the other session does not have.</summary>
    public bool TryTake(in Amount wanted, SessionHolders? other)
    {
        if (!Session.TryTake(wanted))
            return false;
        if (TryTake(User, other?.User, wanted))
        {
            if (TryTake(Certificate, other?.Certificate, wanted))
            {
                if (TryTake(Address, other?.Address, wanted))
                    return true;
                Add(Certificate, other?.Certificate, -wanted);
            }

            Add(User, other?.User, -wanted);
        }

        Session.Add(-wanted);
        return false;
    }

    /// <summary>The cap that refused, looked up after a refusal: for the operator only.</summary>
    public RefusalReason CapOn(in Amount wanted)
    {
        var cap = CapOf(
            Session, wanted, RefusalReason.MaxSubscriptionsPerSession, RefusalReason.MaxMonitoredItemsPerSession);
        if (cap == RefusalReason.None)
            cap = CapOf(
                Certificate, wanted, RefusalReason.MaxSubscriptionsPerCertificate,
                RefusalReason.MaxMonitoredItemsPerCertificate);
        if (cap == RefusalReason.None)
            cap = CapOf(
                Address, wanted, RefusalReason.MaxSubscriptionsPerAddress, RefusalReason.MaxMonitoredItemsPerAddress);
        if (cap == RefusalReason.None)
            cap = CapOf(User, wanted, RefusalReason.MaxSubscriptionsPerUser, RefusalReason.MaxMonitoredItemsPerUser);
        return cap == RefusalReason.None ? RefusalReason.MaxQueuedValuesPerSession : cap;
    }

    public void Add(in Amount change) => Add(change, null);

    public void Add(in Amount change, SessionHolders? other)
    {
        Session.Add(change);
        Add(User, other?.User, change);
        Add(Certificate, other?.Certificate, change);
        Add(Address, other?.Address, change);
    }

    /// <summary>From now on the session's amounts count for another user, even above that user's caps.</summary>
    public void ChangeUserUnderLock(string key)
    {
        if (string.Equals(key, User.Key, StringComparison.Ordinal))
            return;
        var user = _book.Users.Enter(key);
        user.Add(Session.Amount);
        User.Add(-Session.Amount);
        _book.Users.Leave(User);
        User = user;
    }

    /// <summary>Once, when the session counts for no holder any more.</summary>
    public void Leave()
    {
        _book.Users.Leave(User);
        if (Certificate is not null)
            _book.Certificates.Leave(Certificate);
        if (Address is not null)
            _book.Addresses.Leave(Address);
    }

    private static RefusalReason CapOf(
        Usage? holder, in Amount wanted, RefusalReason ofSubscriptions, RefusalReason ofItems)
    {
        if (holder?.IsFullFor(new Amount(wanted.Subscriptions, 0, 0)) == true)
            return ofSubscriptions;
        return holder?.IsFullFor(new Amount(0, wanted.Items, 0)) == true ? ofItems : RefusalReason.None;
    }

    private static bool TryTake(Usage? holder, Usage? same, in Amount wanted) =>
        holder is null || ReferenceEquals(holder, same) || holder.TryTake(wanted);

    private static void Add(Usage? holder, Usage? same, in Amount change)
    {
        if (holder is not null && !ReferenceEquals(holder, same))
            holder.Add(change);
    }
}
